import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { forbidden, intercept, serverError, type Answer } from '../interception.ts'
import type { SampleData } from '../sample-data.ts'
import { analyseScreens } from './analyse-screens.ts'
import { credentialScreens } from './credential-screens.ts'
import { libraryScreens } from './library-screens.ts'
import { taskingScreens } from './tasking-screens.ts'
import { onlyFull, single, type ScreenRow, type StateName } from './screen-row.ts'

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
const watchScreens: readonly ScreenRow[] = [
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

/** Usage and reports, the audit trail, and the screens of operators. */
const operationsScreens: readonly ScreenRow[] = [
  {
    name: 'usage',
    path: () => '/money/usage',
    reads: ['usage.current', 'usage.by_operation', 'usage.history', 'billing.forecast'],
  },
  { name: 'reports', path: () => '/money/reports', reads: ['reports.list', 'reports.schedules.list'] },
  { name: 'audit', path: () => '/build/audit', reads: ['organizations.audit.list'] },
  { name: 'admin-organizations', path: () => '/admin', reads: ['admin.orgs.list'] },
  { name: 'admin-people', path: () => '/admin/people', reads: ['admin.users.list'] },
  { name: 'admin-adjustments', path: () => '/admin/adjustments', reads: ['admin.credit_adjustments.list'] },
  { name: 'admin-tasks', path: () => '/admin/tasks', reads: ['admin.dead_letters.list'] },
  { name: 'admin-stuck-work', path: () => '/admin/stuck', reads: ['admin.stuck_work.list'] },
  {
    name: 'admin-products',
    path: () => '/admin/products',
    reads: ['admin.data_products.list', 'admin.data_products.versions.list'],
  },
  { name: 'admin-prices', path: () => '/admin/prices', reads: ['admin.rate_cards.list'] },
  {
    name: 'admin-features',
    path: () => '/admin/features',
    reads: ['admin.feature_flags.list'],
    without: { empty: 'the flags are declared in the code' },
  },
]

const answers: Readonly<Record<Exclude<StateName, 'full'>, Answer>> = {
  empty: 'empty',
  loading: 'never',
  error: serverError,
  forbidden,
}

export async function prepareState(page: Page, { reads }: ScreenRow, state: StateName): Promise<void> {
  if (state !== 'full') await intercept(page, reads, answers[state])
}

/** Two priced scenes wait in the cart of the browser. */
async function fillCart(page: Page, { cart }: SampleData): Promise<void> {
  await page.addInitScript(`localStorage.setItem('swath.cart', ${JSON.stringify(JSON.stringify(cart))})`)
}

/** A visitor enters the password of a link. */
async function openShare(page: Page, { sharePassword }: SampleData): Promise<void> {
  await page.locator('input[type=password]').fill(sharePassword)
  const picture = page.waitForResponse((response) => /tile/.test(response.url()) && response.headers()['content-type']?.startsWith('image') === true) // prettier-ignore
  await page.keyboard.press('Enter')
  await picture
}

/** The first delivery of the log with its payload. */
const openDelivery = async (page: Page): Promise<void> => {
  const summary = page.locator('main details > summary').first()
  if ((await summary.count()) > 0) await summary.click()
}

export const screens: readonly ScreenRow[] = [
  { name: 'explore', path: () => '/explore', reads: ['catalog.search_stream'] },
  {
    name: 'explore-prices',
    path: () => '/explore?area=-78.02,36.6;-77.98,36.6;-77.98,36.64;-78.02,36.64',
    reads: ['catalog.compare_prices'],
    without: {
      empty: 'the list is a sentence',
      loading: 'opened by hand',
      error: 'opened by hand',
      forbidden: 'opened by hand',
    },
    act: (page) => page.getByText(texts.explore.comparison.title).click(),
  },
  { name: 'cart-empty', path: () => '/cart', reads: [], without: onlyFull },
  {
    name: 'cart',
    path: () => '/cart',
    reads: ['orders.archive.estimate'],
    without: { empty: 'the row above' },
    prepare: fillCart,
  },
  ...taskingScreens,
  { name: 'orders', path: () => '/orders', reads: ['orders.list'] },
  { name: 'orders-table', path: () => '/orders/table', reads: ['orders.list'] },
  { name: 'order', path: ({ orderId }) => `/orders/${orderId}`, reads: ['orders.get'], without: { empty: single } },
  ...libraryScreens,
  { name: 'share', path: ({ shareUrl }) => shareUrl, reads: [], without: onlyFull, isPublic: true, act: openShare },
  { name: 'share-closed', path: ({ shareUrl }) => shareUrl, reads: [], without: onlyFull, isPublic: true },
  {
    name: 'viewer',
    path: ({ itemIds }) => `/view?items=${itemIds[0]}`,
    reads: ['items.get', 'items.get_stac'],
    without: { empty: single },
  },
  ...analyseScreens,
  ...watchScreens,
  { name: 'money', path: () => '/money', reads: ['billing.credits.balance', 'billing.credits.transactions'] },
  { name: 'journal', path: () => '/money/journal', reads: ['billing.credits.transactions'] },
  { name: 'cards', path: () => '/money/cards', reads: ['payment_methods.list'] },
  {
    name: 'members',
    path: () => '/team',
    reads: ['organizations.members.list'],
    without: { empty: 'somebody reads it' },
  },
  { name: 'invitations', path: () => '/team/invitations', reads: ['organizations.invitations.list'] },
  ...credentialScreens,
  { name: 'organization', path: () => '/team/organization', reads: [], without: onlyFull },
  { name: 'account', path: () => '/account', reads: [], without: onlyFull },
  { name: 'account-sign-in', path: () => '/account/sign-in', reads: ['users.passkeys.list'] },
  {
    name: 'account-sessions',
    path: () => '/account/sessions',
    reads: ['users.sessions.list'],
    without: { empty: 'somebody reads it' },
  },
  { name: 'admin-roles', path: () => '/admin/roles', reads: ['admin.role_changes.list'] },
  { name: 'approvals', path: () => '/money/approvals', reads: ['billing.approvals.list'] },
  { name: 'commitments', path: () => '/money/commitments', reads: ['organizations.commitments.list'] },
  { name: 'invoices', path: () => '/money/invoices', reads: ['billing.invoices.list'] },
  { name: 'api', path: () => '/build/api?operation=users.me', reads: ['users.me'], without: onlyFull },
  { name: 'api-list', path: () => '/build/api', reads: [], without: onlyFull },
  { name: 'tile-tokens', path: () => '/build/tiles', reads: ['items.tile.token.list'] },
  { name: 'webhooks', path: () => '/build/webhooks', reads: ['event_subscriptions.list'] },
  {
    name: 'webhook',
    path: ({ webhookId }) => `/build/webhooks/${webhookId}`,
    reads: ['event_subscriptions.get', 'event_subscriptions.deliveries.list'],
    without: { empty: single },
    act: openDelivery,
  },
  { name: 'events', path: () => '/build/events', reads: ['events.list'] },
  ...operationsScreens,
]
