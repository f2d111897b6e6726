#!/usr/bin/env bash
echo "not executable"
