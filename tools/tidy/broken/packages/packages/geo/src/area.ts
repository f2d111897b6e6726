import { readFileSync } from 'node:fs'
import { limits } from '@swath/contract/limits.ts'
export const area = [readFileSync, limits]
