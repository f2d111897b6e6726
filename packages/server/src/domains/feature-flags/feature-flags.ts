import { createHash } from 'node:crypto'
import { featureFlagNames, featureFlags, type FeatureFlagName } from '@swath/contract/feature-flags.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import {
  findFeatureFlagState,
  listFeatureFlagRollouts,
  listFeatureFlagSwitches,
  type FeatureFlagSwitchRow,
} from './store.ts'

/**
 * The place of an organization among a hundred, from 0 to 99: the same at each call and in each process, and another one for
 * each flag, so that the same organizations are not always the first.
 */
export function computeFlagRolloutPosition(flag: string, organization: string): number {
  const digest = createHash('sha256').update(`${flag} ${organization}`).digest()
  return digest.readUInt32BE(0) % 100
}

/** True if an organization has a feature: as an operator has switched it for the organization, or else by the share. */
export async function isFeatureEnabled(
  db: SqlStatementRunner,
  organization: string,
  flag: FeatureFlagName,
): Promise<boolean> {
  const { percent, enabled } = await findFeatureFlagState(db, organization, flag)
  return enabled ?? computeFlagRolloutPosition(flag, organization) < (percent ?? featureFlags[flag].default_percent)
}

/** Every feature flag with what operators have set, for these organizations. Needs the unscoped connection. */
export async function listFeatureFlags(unscoped: SqlStatementRunner, organizations: readonly string[]) {
  const shares = new Map((await listFeatureFlagRollouts(unscoped)).map((row) => [row.flag, row]))
  const switches = new Map<string, FeatureFlagSwitchRow[]>()
  for (const organization of organizations)
    switches.set(organization, await listFeatureFlagSwitches(unscoped, organization))
  return featureFlagNames.map((flag) => {
    const { owner, description, default_percent } = featureFlags[flag]
    const share = shares.get(flag)
    return {
      flag,
      owner,
      description,
      percent: share?.percent ?? default_percent,
      default_percent,
      updated_at: share?.updated_at.toISOString() ?? null,
      organizations: [...switches].flatMap(([organization_id, rows]) =>
        rows
          .filter((row) => row.flag === flag)
          .map(({ enabled, updated_at }) => ({ organization_id, enabled, updated_at: updated_at.toISOString() })),
      ),
    }
  })
}
