import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Commitment } from '../schemas/commitment.ts'
import {
  ClearIfNull,
  WithDefault,
  WithDescription,
  StrictObject,
  KeepIfNull,
  OptionalOperatorReason,
  Timestamp,
  Uuid,
} from '../schemas/primitives.ts'
import { createSpendFields, WithDryRun } from '../schemas/spend.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.max_name_length })
const Aud = Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'AUD, with at most two decimal places.' })

const Products = Type.Array(
  Type.Object(
    {
      product: WithDescription('Product name, as in the price of a scene.', Name),
      unit: WithDefault(Type.Literal('km2'), 'km2'),
      negotiated_rate_aud: Type.String({
        pattern: '^\\d{1,7}(\\.\\d{1,4})?$',
        description: 'AUD per unit, as a decimal string with at most four decimal places.',
      }),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: 500, description: 'The products with their rates; each product once.' },
)

const commitmentIds = { organization_id: Uuid, commitment_id: Uuid }
const output = Type.Object({ commitment: Commitment })

export const adminCommitmentsCreateOperation = operation({
  id: 'admin.commitments.create',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Create a commitment of an enterprise organization: its period, minimum spend and negotiated rates.',
  input: StrictObject({
    organization_id: Uuid,
    name: WithDescription('Unique among the open commitments of the organization.', Name),
    period_start: WithDescription('Start of the period, inclusive.', Timestamp),
    period_end: WithDescription('End of the period, exclusive.', Timestamp),
    committed_aud: WithDescription('Minimum spend (take-or-pay) in AUD, with at most two decimal places.', Aud),
    carried_in_aud: WithDefault(
      WithDescription('Delivered amount beyond the minimum of an earlier period that counts towards this one.', Aud),
      0,
    ),
    products: Products,
    reason: OptionalOperatorReason,
  }),
  output,
  problems: ['not-found', 'invalid-state', 'name-taken'],
  emits: ['commitment.created'],
  extension: true,
})

export const adminCommitmentsAmendOperation = operation({
  id: 'admin.commitments.amend',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Amend a commitment during its period, as a new version; deliveries so far keep their rates.',
  input: StrictObject({
    ...commitmentIds,
    name: KeepIfNull(Name),
    period_end: KeepIfNull(WithDescription('End of the period, exclusive; not in the past.', Timestamp)),
    committed_aud: KeepIfNull(Aud),
    products: KeepIfNull(
      WithDescription('The complete list of products; the rates apply to orders from now on.', Products),
    ),
    reason: ClearIfNull(Type.String({ maxLength: limits.max_text_length }), 'Null records no reason.'),
  }),
  output,
  problems: ['not-found', 'invalid-state', 'name-taken'],
  emits: ['commitment.amended'],
  extension: true,
})

export const adminCommitmentsClosePeriodOperation = operation({
  id: 'admin.commitments.close_period',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Close a commitment whose period has ended and charge the shortfall; repeating it has no effect.',
  input: StrictObject({
    ...commitmentIds,
    reason: OptionalOperatorReason,
    ...createSpendFields(
      'Refuse the call with `spend-limit-exceeded` if the shortfall is more than this; a credit is a cent.',
    ),
  }),
  output: WithDryRun(output),
  problems: ['not-found', 'invalid-state', 'spend-limit-exceeded'],
  emits: ['commitment.closed'],
  idempotent: true,
  extension: true,
})
