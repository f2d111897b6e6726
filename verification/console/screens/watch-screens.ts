import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { single, type ScreenRow } from './screen-row.ts'

const onlyFull = { empty: single, loading: single, error: single, forbidden: single }

/** The chart of the rule, and the value of one item. */
async function tryRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: texts.alerts.backtest.run }).click()
  await page.getByRole('img', { name: /Value of each past item/ }).waitFor()
  await page.getByLabel(texts.alerts.test.item, { exact: true }).selectOption({ index: 1 })
}

const openDetails = async (page: Page): Promise<void> => {
  await page.locator('summary').getByText(texts.alerts.form.details).click()
}

/** Alert rules with their alerts, saved searches, and notifications. */
export const watchScreens: readonly ScreenRow[] = [
  { name: 'watch', path: () => '/watch', reads: ['alerts.events.list'] },
  { name: 'watch-rules', path: () => '/watch/rules', reads: ['alerts.rules.list'] },
  { name: 'watch-new-rule', path: () => '/watch/rules/new', reads: [], without: onlyFull, act: openDetails },
  {
    name: 'watch-rule',
    path: ({ ruleId }) => `/watch/rules/${ruleId}`,
    reads: ['alerts.rule.get', 'alerts.events.list'],
    without: { empty: single, error: single, forbidden: single },
    act: async (page) => {
      if ((await page.getByRole('button', { name: texts.alerts.backtest.run }).count()) > 0) await tryRule(page)
    },
  },
  { name: 'watch-searches', path: () => '/watch/searches', reads: ['catalog.search.list', 'orders.standing.list'] },
  { name: 'notifications', path: () => '/inbox/notifications', reads: ['notifications.list'] },
  {
    name: 'notification-preferences',
    path: () => '/inbox/preferences',
    reads: ['notifications.preferences.get'],
    without: { empty: 'the kinds are a table of the platform' },
  },
]
