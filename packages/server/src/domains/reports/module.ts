import type { Module } from '../../engine/task.ts'
import { generateReport } from './operations/reports.generate.ts'

export const reports: Module = { name: 'reports', handlers: [generateReport], tasks: [] }
