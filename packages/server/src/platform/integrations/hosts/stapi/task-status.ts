import type { HostTaskStatus } from '../../tasking-host.ts'
import { asObject, asText, type ReadonlyJsonObject } from '../stac-item.ts'

type Stage = HostTaskStatus['stage']

/**
 * The status codes of STAPI, required, optional and of extensions, as stages. A code that is not listed changes nothing
 * about an accepted order.
 */
const stages: Readonly<Record<string, Stage>> = {
  received: 'accepted',
  held: 'accepted',
  reserved: 'accepted',
  accepted: 'accepted',
  scheduled: 'scheduled',
  tasked: 'tasked',
  processing: 'processing',
  completed: 'ready',
  rejected: 'rejected',
  failed: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
  user_cancelled: 'cancelled',
}

/** Stages that end an order without a delivery. */
export const terminalUndeliveredHostTaskStages: ReadonlySet<Stage> = new Set<Stage>([
  'rejected',
  'failed',
  'expired',
  'cancelled',
])

export interface StapiOrderState {
  readonly stage: Stage
  readonly reason_code: string | null
  readonly reason: string | null
  /** The time when the status was set; null if it is not stated. */
  readonly since: Date | null
}

/** The status of an order as its provider states it. */
export function readStapiOrderState(order: ReadonlyJsonObject): StapiOrderState {
  const status = asObject(asObject(order['properties'])['status'])
  const code = asText(status['status_code']) ?? ''
  const since = new Date(asText(status['timestamp']) ?? Number.NaN)
  return {
    stage: Object.hasOwn(stages, code) ? stages[code]! : 'accepted',
    reason_code: shorten(status['reason_code'], 100),
    reason: shorten(status['reason_text'], 500),
    since: Number.isNaN(since.getTime()) ? null : since,
  }
}

const shorten = (value: unknown, max_length: number): string | null => asText(value)?.slice(0, max_length) ?? null
