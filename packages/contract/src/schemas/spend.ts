import Type, { type Static, type TObject, type TProperties } from 'typebox'
import { OptionalNullable, Uuid, WithDefault, WithDescription } from './primitives.ts'

/** Input fields of every operation that spends credits. */
export const spendFields = {
  max_credits: WithDescription(
    'Refuse the call with `spend-limit-exceeded` if it would cost more than this.',
    OptionalNullable(Type.Integer({ minimum: 0 })),
  ),
  dry_run: WithDefault(
    Type.Boolean({
      description:
        'Check everything and answer as if it were done, with the journal entries in `dry_run`; nothing is written and no card is charged.',
    }),
    false,
  ),
}

/** The same where `max_credits` bounds something else than a price; the description says what. */
export const createSpendFields = (max_credits: string) => ({
  ...spendFields,
  max_credits: WithDescription(max_credits, OptionalNullable(Type.Integer({ minimum: 0 }))),
})

/** The journal entries that a dry run would have written. */
export const DryRun = Type.Object({
  entries: Type.Array(
    Type.Object({
      organization_id: WithDescription('The organization of the journal.', Uuid),
      kind: Type.String({ description: 'Kind of entry, such as `hold`, `release` or `purchase`.' }),
      amount_credits: Type.Integer({ description: 'Change of the balance: negative for holds.' }),
      available_after_credits: Type.Integer(),
      held_after_credits: Type.Integer(),
      postings: Type.Array(Type.Object({ account: Type.String(), amount_credits: Type.Integer() })),
    }),
  ),
})

/** The output of an operation that can be a dry run. */
export const WithDryRun = <Properties extends TProperties>(output: TObject<Properties>) =>
  Type.Object({
    ...output.properties,
    dry_run: Type.Optional(WithDescription('Present if the call was a dry run.', DryRun)),
  })

export type DryRun = Static<typeof DryRun>
