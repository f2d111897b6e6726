import type { Module } from '../../engine/task.ts'
import { exportProvenance } from './provenance.export.ts'
import { getProvenance } from './provenance.get.ts'

export const provenance: Module = { name: 'provenance', handlers: [getProvenance, exportProvenance], tasks: [] }
