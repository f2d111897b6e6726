import { accountTexts } from './texts/account.ts'
import { adminTexts } from './texts/admin.ts'
import { alertsTexts } from './texts/alerts.ts'
import { analyseTexts } from './texts/analyse.ts'
import { analyticsTexts } from './texts/analytics.ts'
import { areaTexts } from './texts/area.ts'
import { auditTexts } from './texts/audit.ts'
import { buildTexts } from './texts/build.ts'
import { callsTexts } from './texts/calls.ts'
import { cartTexts } from './texts/cart.ts'
import { credentialsTexts } from './texts/credentials.ts'
import { exploreTexts } from './texts/explore.ts'
import { firstStepsTexts } from './texts/first-steps.ts'
import { frameTexts } from './texts/frame.ts'
import { inboxTexts } from './texts/inbox.ts'
import { libraryTexts } from './texts/library.ts'
import { moneyTexts } from './texts/money.ts'
import { notificationsTexts } from './texts/notifications.ts'
import { ordersTexts } from './texts/orders.ts'
import { paletteTexts } from './texts/palette.ts'
import { paymentsTexts } from './texts/payments.ts'
import { personTexts } from './texts/person.ts'
import { problemTexts } from './texts/problem.ts'
import { reportsTexts } from './texts/reports.ts'
import { sandboxTexts } from './texts/sandbox.ts'
import { shareLinksTexts } from './texts/share-links.ts'
import { signOnTexts } from './texts/sign-on.ts'
import { taskingTexts } from './texts/tasking.ts'
import { teamTexts } from './texts/team.ts'
import { uiTexts } from './texts/ui.ts'
import { usageTexts } from './texts/usage.ts'
import { viewerTexts } from './texts/viewer.ts'
import { watchTexts } from './texts/watch.ts'
import { webhooksTexts } from './texts/webhooks.ts'

/**
 * Every text of the console, by screen, for those who walk through all of it. A screen imports its part alone, so that no
 * other one is loaded with it, and has no texts of its own.
 */
export const texts = {
  frame: frameTexts,
  account: accountTexts,
  ui: uiTexts,
  calls: callsTexts,
  problem: problemTexts,
  area: areaTexts,
  explore: exploreTexts,
  firstSteps: firstStepsTexts,
  cart: cartTexts,
  orders: ordersTexts,
  library: libraryTexts,
  shareLinks: shareLinksTexts,
  palette: paletteTexts,
  payments: paymentsTexts,
  team: teamTexts,
  signOn: signOnTexts,
  person: personTexts,
  money: moneyTexts,
  build: buildTexts,
  credentials: credentialsTexts,
  viewer: viewerTexts,
  watch: watchTexts,
  alerts: alertsTexts,
  webhooks: webhooksTexts,
  sandbox: sandboxTexts,
  tasking: taskingTexts,
  inbox: inboxTexts,
  notifications: notificationsTexts,
  analyse: analyseTexts,
  analytics: analyticsTexts,
  usage: usageTexts,
  reports: reportsTexts,
  audit: auditTexts,
  admin: adminTexts,
} as const
