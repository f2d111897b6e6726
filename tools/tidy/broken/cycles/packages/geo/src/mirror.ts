import { mirror as other } from './mirror.ts'
export const mirror: unknown = other
