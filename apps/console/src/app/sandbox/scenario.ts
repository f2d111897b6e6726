import type { InputOf } from '@swath/client/operations.ts'

export type Scenario = InputOf<'sandbox.scenario.run'>['scenario']
export type ScenarioKind = Scenario['kind']

export type ScenarioAmount = 'seconds' | 'missing_scenes' | 'deliveries'

/** The kinds that need a number beside their name, and what one unit of the form is of it. */
export const scenarioAmounts: Readonly<
  Partial<Record<ScenarioKind, { readonly member: ScenarioAmount; readonly unit: number; readonly usual: number }>>
> = {
  'host.delay': { member: 'seconds', unit: 3600, usual: 12 },
  'host.partial_delivery': { member: 'missing_scenes', unit: 1, usual: 1 },
  'host.wrong_checksum': { member: 'deliveries', unit: 1, usual: 1 },
}

/** Parameters of a kind that the form does not ask for. */
const fixedParameters: Readonly<Partial<Record<ScenarioKind, object>>> = {
  'payment.close_disputes': { outcome: 'won' },
}

/** The scenario of a kind with the amount of the form; null for an amount that is not a positive integer. */
export function toScenario(kind: ScenarioKind, amount: string): Scenario | null {
  const needed = scenarioAmounts[kind]
  if (!needed) return { kind, ...fixedParameters[kind] } as Scenario
  const number = Number(amount)
  return Number.isInteger(number) && number > 0
    ? ({ kind, [needed.member]: number * needed.unit } as unknown as Scenario)
    : null
}
