"""MNN: conversion, quantization to the bit, and runs. Only the workers here load its native code."""
