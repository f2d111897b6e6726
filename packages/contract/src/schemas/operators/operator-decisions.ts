import Type from 'typebox'
import { Nullable, Timestamp, Uuid, WithDescription } from '../primitives.ts'

/** Beside the id of an organization in what operators read. */
export const OrganizationName = Nullable(Type.String(), {
  description: 'The name of the organization; null without one, or if it does not exist any more.',
})

export const OperatorDecisionStatus = Type.Enum(['pending', 'approved', 'rejected'])

/** The fields of a request that one operator makes and another one decides. */
export const operatorDecisionFields = {
  reason: Type.String(),
  status: OperatorDecisionStatus,
  requested_by: Uuid,
  requested_at: Timestamp,
  decided_by: Nullable(Uuid),
  decided_at: Nullable(Timestamp),
  decision_reason: Nullable(Type.String()),
}

/** The fields of a version of something for sale, which one operator requests and another one decides. */
export const commercialTermsVersionFields = {
  id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  effective_from: WithDescription('From when on it holds; earlier orders and quotes keep theirs.', Timestamp),
  in_force: Type.Boolean({ description: 'True if it is the version in force now.' }),
  ...operatorDecisionFields,
}
