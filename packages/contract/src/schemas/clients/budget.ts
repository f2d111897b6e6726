import Type, { type Static } from 'typebox'
import { Count, Nullable, Timestamp, Uuid, WithDescription } from '../primitives.ts'

/** What a member or a project spends: a member within the limit of 30 days, if there is one; a project without a limit. */
export const Budget = Type.Object({
  id: WithDescription('The id of the member or of the project.', Uuid),
  kind: Type.Enum(['member', 'project']),
  name: Type.String(),
  description: Nullable(Type.String()),
  externalId: Type.Null(),
  status: Type.Enum(['ACTIVE', 'INACTIVE'], { description: '`INACTIVE`: an archived project or a disabled member.' }),
  spendLimit: Nullable(Count, { description: 'Credits in any 30 days; null for no limit.' }),
  validityPeriod: WithDescription(
    'The 30 days that count towards the limit; null for a project.',
    Nullable(Type.Object({ startDate: Timestamp, endDate: Timestamp })),
  ),
  consumedCredits: Type.Optional(WithDescription('Credits that are held or charged; on request.', Count)),
  remainingCredits: Type.Optional(Nullable(Count)),
  usagePercentage: Type.Optional(Nullable(Type.Number({ minimum: 0 }))),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export type Budget = Static<typeof Budget>
