import Type, { type Static } from 'typebox'
import { Nullable, Uuid, WithDescription } from '../primitives.ts'
import { operatorDecisionFields } from './operator-decisions.ts'

/** A change of the roles that a user has on the platform, which one operator requests and another one decides. */
export const RoleChange = Type.Object({
  id: Uuid,
  user_id: Uuid,
  email: Type.String(),
  operator: Nullable(Type.Boolean(), {
    description: 'Whether the user is to be an operator; null leaves it as it is.',
  }),
  clip_user: Nullable(Type.Boolean(), {
    description: 'Whether the user is to have the scopes `clip:*`; null leaves it as it is.',
  }),
  ...operatorDecisionFields,
  decided_alone: WithDescription(
    'True if there was no other operator to approve it, so that it held at once.',
    Type.Boolean(),
  ),
})

export type RoleChange = Static<typeof RoleChange>
