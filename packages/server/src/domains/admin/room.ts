import type { Room } from '../../engine/task.ts'
import { adjustCredits } from './admin.orgs.credit_adjust.ts'
import { reconcileStorage } from './reconcile-storage.task.ts'

export const admin: Room = { name: 'admin', handlers: [adjustCredits], tasks: [reconcileStorage] }
