import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../engine/problem.ts'
import { blockOf } from './address-block.ts'

/** What a process may hold of responses that their readers have not taken yet. */
export interface ResponseLimits {
  /** Of one organization, or of one address where nobody knows the organization. */
  readonly in_flight_limit_bytes: number
  /** Of all together. */
  readonly in_flight_total_bytes: number
}

/** Counts the bytes of responses in flight: the memory of this process, so each process counts its own. */
export interface ResponseBudget {
  /**
   * Takes room. Throws `rate-limited` where there is none and the call may be refused; a holder, or a process, that has
   * nothing in flight is never refused.
   */
  take(holder: string, bytes: number, mayRefuse: boolean): void
  /** Gives room back. */
  give(holder: string, bytes: number): void
}

/** In so many seconds a reader of usual speed is through. */
const retry_after_s = 5

export function openResponseBudget({ in_flight_limit_bytes, in_flight_total_bytes }: ResponseLimits): ResponseBudget {
  const held = new Map<string, number>()
  let total_bytes = 0
  const isFull = (before: number, more: number, limit: number): boolean => before > 0 && before + more > limit
  return {
    take: (holder, bytes, mayRefuse) => {
      const before = held.get(holder) ?? 0
      if (
        mayRefuse &&
        (isFull(before, bytes, in_flight_limit_bytes) || isFull(total_bytes, bytes, in_flight_total_bytes))
      ) {
        const text =
          'Too many bytes are being sent to you at once. Read the answers that you have asked for, then ask again.'
        throw new Problem('rate-limited', text, { retry_after_s })
      }
      held.set(holder, before + bytes)
      total_bytes += bytes
    },
    give: (holder, bytes) => {
      const after = (held.get(holder) ?? 0) - bytes
      if (after > 0) held.set(holder, after)
      else held.delete(holder)
      total_bytes -= bytes
    },
  }
}

/** Bytes that a response holds, and for whom. */
export interface HeldBytes {
  readonly holder: string
  bytes: number
}

const holderOf = ({ seen, ip }: FastifyRequest): string => {
  const { organization } = seen.facts
  return typeof organization === 'string' ? organization : blockOf(ip)
}

/**
 * Sees to it that so many bytes are counted for a response, those before included, until it has been sent or its reader is
 * gone. Throws `rate-limited` where there is no room and the call may be refused.
 */
export function holdBytes(request: FastifyRequest, reply: FastifyReply, bytes: number, mayRefuse: boolean): void {
  const { responseBudget: budget } = request.server
  const held = request.held ?? { holder: holderOf(request), bytes: 0 }
  const more = bytes - held.bytes
  if (more <= 0) return
  budget.take(held.holder, more, mayRefuse)
  held.bytes += more
  if (request.held) return
  request.held = held
  const release = (): void => budget.give(held.holder, held.bytes)
  if (reply.raw.destroyed) release()
  else reply.raw.once('close', release)
}
