import type { Module } from '../../engine/task.ts'
import { exportProvenance } from './operations/provenance.export.ts'
import { getProvenance } from './operations/provenance.get.ts'

export const provenance: Module = { name: 'provenance', handlers: [getProvenance, exportProvenance], tasks: [] }
