import type { Queryable, Tx } from '../../platform/database/database.ts'
import { newId, randomText } from '../../platform/ids.ts'
import {
  claimSlug,
  findBillingParty,
  findMember,
  findOrganization,
  insertMember,
  insertOrganization,
  type BillingParty,
  type MemberRow,
  type NewMember,
  type NewOrganization,
  type OrganizationRow,
} from './store.ts'

export type { BillingParty } from './store.ts'

/** The organization of a connection: name, plan, country for its tax, and status. */
export const readOrganization = (db: Queryable, organization: string): Promise<OrganizationRow | null> =>
  findOrganization(db, organization)

/** An organization as invoices and statements name it. */
export const readBillingParty = (db: Queryable, organization: string): Promise<BillingParty | null> =>
  findBillingParty(db, organization)

/** A user's membership, with its spend limits. */
export const findMembership = (db: Queryable, organization: string, user: string): Promise<MemberRow | null> =>
  findMember(db, organization, user)

export const addMembership = (tx: Tx, member: NewMember): Promise<void> => insertMember(tx, member)

/** A name for URLs: lower-case ASCII letters and digits with single hyphens, at most 60 characters. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  return slug || 'organization'
}

/** Claims the slug of the name or, if it is taken, the slug with a random suffix. */
async function findFreeSlug(tx: Tx, name: string, organization: string): Promise<string> {
  const plain = slugOf(name)
  if (await claimSlug(tx, plain, organization)) return plain
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const slug = `${plain}-${randomText(6).toLowerCase()}`
    if (await claimSlug(tx, slug, organization)) return slug
  }
  throw new Error('no free slug was found in ten attempts')
}

export type OrganizationTerms = Pick<NewOrganization, 'name' | 'plan'> &
  Partial<Omit<NewOrganization, 'organization_id' | 'slug' | 'created_at'>>

/** Creates an organization without members, in an unscoped transaction. */
export async function foundOrganization(tx: Tx, terms: OrganizationTerms, now: Date): Promise<NewOrganization> {
  const organization_id = newId()
  const row: NewOrganization = {
    organization_id,
    name: terms.name,
    slug: await findFreeSlug(tx, terms.name, organization_id),
    description: terms.description ?? null,
    website: terms.website ?? null,
    industry: terms.industry ?? null,
    size: terms.size ?? null,
    country: terms.country ?? null,
    abn: terms.abn ?? null,
    tax_number: terms.tax_number ?? null,
    billing_email: terms.billing_email ?? null,
    billing_admin_id: terms.billing_admin_id ?? null,
    billing_address: terms.billing_address ?? null,
    enterprise_billing: terms.enterprise_billing ?? false,
    plan: terms.plan,
    created_at: now,
  }
  await insertOrganization(tx, row)
  return row
}
