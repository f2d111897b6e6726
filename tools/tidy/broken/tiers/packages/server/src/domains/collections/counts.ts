import { mayRead } from '../items/access.ts'
export const counts = mayRead
