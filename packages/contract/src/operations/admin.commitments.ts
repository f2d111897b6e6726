import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Commitment } from '../shapes/commitment.ts'
import { ClearedByNull, Default, Described, Input, KeptByNull, Timestamp, Uuid } from '../shapes/primitives.ts'

const Name = Type.String({ minLength: 1, maxLength: limits.name_length })
const Aud = Type.Number({ minimum: 0, maximum: 1_000_000_000, description: 'AUD, in whole cents.' })

const Products = Type.Array(
  Type.Object(
    {
      product: Described('As the price of a scene names it.', Name),
      unit: Default(Type.Literal('km2'), 'km2'),
      negotiated_rate_aud: Type.String({
        pattern: '^\\d{1,7}(\\.\\d{1,4})?$',
        description: 'AUD for one unit, as decimal text with at most four decimals.',
      }),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: 500, description: 'Each product once.' },
)

const one = { organization_id: Uuid, commitment_id: Uuid }
const output = Type.Object({ commitment: Commitment })

export const adminCommitmentsCreate = operation({
  id: 'admin.commitments.create',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Enter the contract of an enterprise: period, minimum, and the rates that it fixes.',
  input: Input({
    organization_id: Uuid,
    name: Described('Of its own among the commitments that are not closed.', Name),
    period_start: Described('The first moment of the period.', Timestamp),
    period_end: Described('The first moment after the period.', Timestamp),
    committed_aud: Described('What is paid for at least, delivered or not, in AUD and whole cents.', Aud),
    carried_in_aud: Default(
      Described('What an earlier period delivered beyond its minimum and this one counts.', Aud),
      0,
    ),
    products: Products,
  }),
  output,
  problems: ['not-found', 'invalid-state', 'name-taken'],
  emits: ['commitment.created'],
  extension: true,
  answered: true,
})

export const adminCommitmentsAmend = operation({
  id: 'admin.commitments.amend',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Change a commitment whose period runs, as a further version of it; what was delivered stays.',
  input: Input({
    ...one,
    name: KeptByNull(Name),
    period_end: KeptByNull(Described('Not in the past.', Timestamp)),
    committed_aud: KeptByNull(Aud),
    products: KeptByNull(Described('All of them; their rates hold for what is ordered from now on.', Products)),
    reason: ClearedByNull(Type.String({ maxLength: limits.text_length }), 'Null gives none.'),
  }),
  output,
  problems: ['not-found', 'invalid-state', 'name-taken'],
  emits: ['commitment.amended'],
  extension: true,
  answered: true,
})

export const adminCommitmentsClosePeriod = operation({
  id: 'admin.commitments.close_period',
  scope: 'admin:write',
  effect: 'spend',
  summary: 'Close a commitment whose period has ended and accrue what is missing of its minimum; twice is once.',
  input: Input(one),
  output,
  problems: ['not-found', 'invalid-state'],
  emits: ['commitment.closed'],
  idempotent: true,
  extension: true,
  answered: true,
})
