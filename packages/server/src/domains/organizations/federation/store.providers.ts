import type { ProviderMapping } from '@swath/contract/schemas/people/federation.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface ProviderRow {
  readonly id: string
  readonly issuer: string
  readonly client_id: string
  /** Null for a public client. */
  readonly sealed_client_secret: string | null
  readonly scopes: readonly string[]
  /** Domains whose addresses sign in with it, as long as they are verified. */
  readonly domains: readonly string[]
  readonly roles_claim: string | null
  readonly mappings: readonly ProviderMapping[]
  readonly default_role: Exclude<OrganizationRole, 'owner'>
  readonly mode: 'optional' | 'required'
  readonly email_trust: 'verified_claim' | 'domain'
  readonly just_in_time: boolean
  /** Owners who keep their password; all owners if none of them is one. */
  readonly emergency_access: readonly string[]
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`p.id, p.issuer, p.client_id, p.sealed_client_secret, p.scopes, p.domains, p.roles_claim, p.mappings,
  p.default_role, p.mode, p.email_trust, p.just_in_time, p.emergency_access, p.created_at, p.updated_at`

export async function findProvider(db: SqlStatementRunner, organization: string): Promise<ProviderRow | null> {
  const [row] = await db.query<ProviderRow>(sql`
    select ${columns} from identity_providers p where p.organization_id = ${organization}`)
  return row ?? null
}

/** The same, with a row lock. */
export async function lockProvider(tx: Tx, organization: string): Promise<ProviderRow | null> {
  const [row] = await tx.query<ProviderRow>(sql`
    select ${columns} from identity_providers p where p.organization_id = ${organization} for update of p`)
  return row ?? null
}

export async function upsertProvider(tx: Tx, organization: string, row: ProviderRow): Promise<void> {
  await tx.query(sql`
    insert into identity_providers (organization_id, id, issuer, client_id, sealed_client_secret, scopes, domains, roles_claim,
                                    mappings, default_role, mode, email_trust, just_in_time, emergency_access, created_at,
                                    updated_at)
    values (${organization}, ${row.id}, ${row.issuer}, ${row.client_id}, ${row.sealed_client_secret}, ${[...row.scopes]},
            ${[...row.domains]}, ${row.roles_claim}, ${sql.json(row.mappings)}, ${row.default_role}, ${row.mode},
            ${row.email_trust}, ${row.just_in_time}, ${[...row.emergency_access]}::uuid[], ${row.created_at}, ${row.updated_at})
    on conflict (organization_id) do update
    set issuer = excluded.issuer, client_id = excluded.client_id, sealed_client_secret = excluded.sealed_client_secret,
        scopes = excluded.scopes, domains = excluded.domains, roles_claim = excluded.roles_claim,
        mappings = excluded.mappings, default_role = excluded.default_role, mode = excluded.mode,
        email_trust = excluded.email_trust, just_in_time = excluded.just_in_time,
        emergency_access = excluded.emergency_access, updated_at = excluded.updated_at`)
}

/** Replaces the domains of the provider, such as without one that was removed. */
export async function updateProviderDomains(
  tx: Tx,
  organization: string,
  { domains, now }: { readonly domains: readonly string[]; readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    update identity_providers set domains = ${[...domains]}, updated_at = ${now} where organization_id = ${organization}`)
}

/** Deletes the provider of an organization, and whom its subjects are there. */
export async function deleteProvider(tx: Tx, organization: string): Promise<void> {
  await tx.query(sql`delete from federated_identities where organization_id = ${organization}`)
  await tx.query(sql`delete from identity_providers where organization_id = ${organization}`)
}
