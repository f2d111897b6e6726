import type { Room } from '../../engine/task.ts'
import { exportProvenance } from './provenance.export.ts'
import { getProvenance } from './provenance.get.ts'

export const provenance: Room = { name: 'provenance', handlers: [getProvenance, exportProvenance], tasks: [] }
