import type { Room } from '../../engine/task.ts'
import { adjustCredits } from './admin.orgs.credit_adjust.ts'

export const admin: Room = { name: 'admin', handlers: [adjustCredits], tasks: [] }
