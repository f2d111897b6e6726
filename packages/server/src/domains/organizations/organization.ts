import type { Tx } from '../../platform/database/database.ts'
import { newId, createSandboxUuid, randomText } from '../../platform/ids.ts'
import { claimOrganizationSlug, insertOrganization, type NewOrganization } from './store.ts'

/** A name for URLs: lower-case ASCII letters and digits with single hyphens, at most 60 characters. */
export function toSlug(name: string): string {
  const baseSlug = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = baseSlug
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  return slug || 'organization'
}

/** Claims the slug of the name or, if it is taken, the slug with a random suffix. */
async function claimFreeSlug(tx: Tx, name: string, organization: string): Promise<string> {
  const baseSlug = toSlug(name)
  if (await claimOrganizationSlug(tx, baseSlug, organization)) return baseSlug
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const slug = `${baseSlug}-${randomText(6).toLowerCase()}`
    if (await claimOrganizationSlug(tx, slug, organization)) return slug
  }
  throw new Error('no free slug was found in ten attempts')
}

export type OrganizationInput = Pick<NewOrganization, 'name' | 'plan'> &
  Partial<Omit<NewOrganization, 'organization_id' | 'slug' | 'created_at'>> & { readonly sandbox?: boolean }

/** Creates an organization without members, in an unscoped transaction. */
export async function createOrganizationWithSlug(
  tx: Tx,
  input: OrganizationInput,
  now: Date,
): Promise<NewOrganization> {
  const organization_id = input.sandbox ? createSandboxUuid() : newId()
  const row: NewOrganization = {
    organization_id,
    name: input.name,
    slug: await claimFreeSlug(tx, input.name, organization_id),
    description: input.description ?? null,
    website: input.website ?? null,
    industry: input.industry ?? null,
    size: input.size ?? null,
    country: input.country ?? null,
    abn: input.abn ?? null,
    tax_number: input.tax_number ?? null,
    billing_email: input.billing_email ?? null,
    billing_admin_id: input.billing_admin_id ?? null,
    billing_address: input.billing_address ?? null,
    enterprise_billing: input.enterprise_billing ?? false,
    plan: input.plan,
    created_at: now,
  }
  await insertOrganization(tx, row)
  return row
}
