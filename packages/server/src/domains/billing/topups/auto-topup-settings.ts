import { default_low_balance_threshold_credits } from '../../ledger/low-balance.ts'
import type { AutoTopupSettingsRow } from './store.auto-topups.ts'

/** The settings of an organization that has not set any. */
const defaultSettings: AutoTopupSettingsRow = {
  enabled: false,
  threshold_credits: default_low_balance_threshold_credits,
  topup_amount_credits: 5000,
  daily_charge_cap_cents: null,
  max_consecutive_declines: 3,
  consecutive_declines: 0,
}

/** The API representation of the auto top-up settings. */
export function toAutoTopupSettings(row: AutoTopupSettingsRow | null) {
  const { daily_charge_cap_cents: cap, ...rest } = row ?? defaultSettings
  return { ...rest, daily_charge_cap_aud: cap === null ? null : cap / 100 }
}
