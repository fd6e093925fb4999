"""What a user can do: commands, jobs, session, project. No Qt."""
