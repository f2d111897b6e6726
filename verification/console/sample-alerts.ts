import type { Client } from '@swath/client/client.ts'
import { waitFor } from '../prove/harness/resources.ts'

/** Everywhere: pixels of the demo imagery are positive. */
const positive = { expression: 'b1', comparison: 'gt', threshold: 0, cooldown_minutes: 0 } as const

/** Rules that fire on the next items, that cannot, and that are paused; returns the id of the first. */
export async function addAlertRules(client: Client): Promise<string> {
  const { alert_rule } = await client.call('alerts.create_rule', {
    ...positive,
    name: 'Bright fields',
    notification_channels: ['in_app', 'email'],
  })
  await client.call('alerts.create_rule', {
    name: 'Water in the river meadows',
    description: 'Tell the survey before the fields are driven on.',
    expression: 'ndwi',
    comparison: 'between',
    threshold: 0.4,
    threshold_upper: 0.9,
    hysteresis: 0.05,
    aoi: { type: 'Polygon', coordinates: [[[11.2, 46.42], [11.3, 46.42], [11.3, 46.5], [11.2, 46.5], [11.2, 46.42]]] }, // prettier-ignore
  })
  const paused = await client.call('alerts.create_rule', { name: 'Snow', expression: 'ndsi', comparison: 'gt', threshold: 0.4 }) // prettier-ignore
  await client.call('alerts.update_rule', { rule_id: paused.alert_rule.id, active: false })
  return alert_rule.id
}

/** Waits until a rule has fired as often. */
export const waitForAlerts = (client: Client, rule_id: string, count: number): Promise<void> =>
  requireSoon(
    'the rule has not fired in time',
    async () => (await client.call('alerts.events.list', { rule_id })).total >= count,
  )

/** Throws the sentence unless there is soon what is looked for. */
export async function requireSoon(sentence: string, find: () => Promise<boolean>): Promise<void> {
  if (!(await waitFor(find, { timeout_ms: 300_000, poll_ms: 250 }))) throw new Error(sentence)
}
