import Type from 'typebox'
import { featureFlagNames } from '../feature-flags.ts'
import { operation } from '../operation.ts'
import { OrganizationName } from '../schemas/operators/operator-decisions.ts'
import {
  ClearIfNull,
  EmptyInput,
  KeepIfNull,
  Nullable,
  OperatorReason,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDescription,
} from '../schemas/primitives.ts'

const FlagName = WithDescription('A row of the table of feature flags.', Type.Enum(featureFlagNames))
const Percent = Type.Integer({ minimum: 0, maximum: 100 })

const FeatureFlag = Type.Object({
  flag: FlagName,
  owner: Type.String({ description: 'The module that it belongs to.' }),
  description: Type.String(),
  percent: WithDescription('The share of organizations that have the feature, beside those that are listed.', Percent),
  default_percent: WithDescription('The share if no operator has set another one.', Percent),
  updated_at: Nullable(Timestamp, { description: 'When an operator set the share; null if none has.' }),
  organizations: Type.Array(
    Type.Object({
      organization_id: Uuid,
      organization_name: OrganizationName,
      enabled: Type.Boolean(),
      updated_at: Timestamp,
    }),
    {
      description: 'Organizations that have the feature, or do not, whatever the share is.',
    },
  ),
})

export const adminFeatureFlagsListOperation = operation({
  id: 'admin.feature_flags.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the feature flags with the organizations that have the feature.',
  input: EmptyInput,
  output: Type.Object({ feature_flags: Type.Array(FeatureFlag) }),
  extension: true,
  implemented: true,
})

export const adminFeatureFlagsSetOperation = operation({
  id: 'admin.feature_flags.set',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Set the share of organizations that have a feature, or switch it for one organization.',
  input: StrictObject({
    flag: FlagName,
    percent: KeepIfNull(
      WithDescription(
        'The share of organizations; each has the feature or not by its id, so that a larger share keeps them.',
        Percent,
      ),
    ),
    organization_id: WithDescription(
      'The organization that `enabled` is about. Null: no organization is switched.',
      OptionalNullable(Uuid),
    ),
    enabled: ClearIfNull(
      Type.Boolean({ description: 'Whether the organization has the feature.' }),
      'Null: the share decides for it again.',
    ),
    reason: OperatorReason,
  }),
  output: FeatureFlag,
  problems: ['not-found'],
  extension: true,
  implemented: true,
})
