import type { Handler } from '../engine/handler.ts'
import type { Room, Task } from '../engine/task.ts'
import { admin } from './admin/room.ts'
import { apiKeys } from './api_keys/room.ts'
import { assets } from './assets/room.ts'
import { bandFormulas } from './band_formulas/room.ts'
import { billing } from './billing/room.ts'
import { catalog } from './catalog/room.ts'
import { cog } from './cog/room.ts'
import { collections } from './collections/room.ts'
import { events } from './events/room.ts'
import { idempotency } from './idempotency/room.ts'
import { items } from './items/room.ts'
import { orders } from './orders/room.ts'
import { organizations } from './organizations/room.ts'
import { paymentMethods } from './payment_methods/room.ts'
import { projects } from './projects/room.ts'
import { provenance } from './provenance/room.ts'
import { stac } from './stac/room.ts'
import { uploads } from './uploads/room.ts'
import { share } from './share/room.ts'
import { users } from './users/room.ts'
import { visualization } from './visualization/room.ts'

/** All modules of the application. */
export const rooms: readonly Room[] = [
  provenance,
  events,
  idempotency,
  users,
  organizations,
  apiKeys,
  projects,
  billing,
  paymentMethods,
  collections,
  items,
  assets,
  stac,
  cog,
  share,
  visualization,
  bandFormulas,
  catalog,
  uploads,
  orders,
  admin,
]

/** The handler of each implemented operation, by operation id. */
export const handlers: ReadonlyMap<string, Handler> = new Map(
  rooms.flatMap((room) => room.handlers).map((handler) => [handler.operation.id, handler]),
)

export const tasks: readonly Task[] = rooms.flatMap((room) => room.tasks)
