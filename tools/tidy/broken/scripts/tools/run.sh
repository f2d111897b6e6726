#!/usr/bin/env bash
echo "executable"
