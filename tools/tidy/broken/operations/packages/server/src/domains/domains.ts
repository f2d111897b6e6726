import { room } from './items/room.ts'
export const rooms = [room]
