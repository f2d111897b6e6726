import { eventHandlers } from '../event-handlers.ts'
import { module } from '../orders/module.ts'
export const watch = [eventHandlers, module]
