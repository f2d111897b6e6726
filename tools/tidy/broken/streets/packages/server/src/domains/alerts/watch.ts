import { reactions } from '../reactions.ts'
import { room } from '../orders/room.ts'
export const watch = [reactions, room]
