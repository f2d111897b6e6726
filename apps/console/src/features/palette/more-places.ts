import { adminTexts } from '../../texts/admin.ts'
import { analyseTexts } from '../../texts/analyse.ts'
import { credentialsTexts } from '../../texts/credentials.ts'
import { paletteTexts } from '../../texts/palette.ts'
import { reportsTexts } from '../../texts/reports.ts'
import { usageTexts } from '../../texts/usage.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'

/** A place with a name. */
export interface PalettePlace {
  readonly path: string
  readonly label: string
}

const { places: names, operators } = paletteTexts
const admin = adminTexts

/** The tabs of the places of the rail. */
export const morePlaces: readonly PalettePlace[] = [
  { path: '/orders/table', label: names.orderTable },
  { path: '/library/uploads', label: names.uploads },
  { path: '/library/deleted', label: names.deleted },
  { path: '/analyse/jobs', label: analyseTexts.jobs },
  { path: '/watch/rules', label: names.rules },
  { path: '/watch/searches', label: names.searches },
  { path: '/inbox/notifications', label: names.notifications },
  { path: '/inbox/preferences', label: names.preferences },
  { path: '/money/journal', label: names.journal },
  { path: '/money/cards', label: names.cards },
  { path: '/team/invitations', label: names.invitations },
  { path: '/team/security', label: names.security },
  { path: '/team/organization', label: names.organization },
  { path: '/money/invoices', label: names.invoices },
  { path: '/money/approvals', label: names.approvals },
  { path: '/money/commitments', label: names.commitments },
  { path: '/money/usage', label: usageTexts.title },
  { path: '/money/reports', label: reportsTexts.title },
  { path: '/account', label: names.account },
  { path: '/account/sign-in', label: names.accountSignIn },
  { path: '/account/sessions', label: names.accountSessions },
  { path: '/build/tokens', label: credentialsTexts.tokens.title },
  { path: '/build/clients', label: credentialsTexts.clients.title },
  { path: '/build/programs', label: credentialsTexts.programs.title },
  { path: '/build/tiles', label: names.tiles },
  { path: '/build/webhooks', label: webhooksTexts.title },
  { path: '/build/api', label: names.api },
  { path: '/build/events', label: names.events },
  { path: '/build/audit', label: names.audit },
]

/** The tabs of the place of operators. */
export const operatorPlaces: readonly PalettePlace[] = [
  { path: '/admin/people', label: operators(admin.people) },
  { path: '/admin/roles', label: operators(admin.roles) },
  { path: '/admin/adjustments', label: operators(admin.adjustments) },
  { path: '/admin/tasks', label: operators(admin.tasks) },
  { path: '/admin/stuck', label: operators(admin.stuckWork) },
  { path: '/admin/prices', label: operators(admin.prices) },
  { path: '/admin/products', label: operators(admin.products) },
  { path: '/admin/features', label: operators(admin.features) },
]
