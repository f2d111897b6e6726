import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../primitives.ts'

export const supportAccessStates = ['requested', 'granted', 'refused', 'ended', 'expired'] as const

export type SupportAccessState = (typeof supportAccessStates)[number]

/** The permission of an owner to an operator to read in the organization as one of its members, for a time. */
export const SupportAccess = Type.Object({
  id: Uuid,
  organization_id: Uuid,
  operator_id: Uuid,
  operator_email: Type.String(),
  reason: Type.String(),
  hours: Type.Integer({ description: 'How long it is, or is asked for.' }),
  state: Type.Enum([...supportAccessStates]),
  requested_at: Timestamp,
  decided_by: Nullable(Uuid),
  decided_at: Nullable(Timestamp),
  expires_at: Timestamp,
  ended_by: Nullable(Uuid),
  ended_at: Nullable(Timestamp),
})

export type SupportAccess = Static<typeof SupportAccess>
