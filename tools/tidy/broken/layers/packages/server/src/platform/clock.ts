import type { Call } from '../engine/call.ts'
export type Clock = Call
