import { useOperation } from '../api/use-operation.ts'
import { paymentsTexts } from '../texts/payments.ts'
import layout from '../ui/layout.module.css'

/** Links to the terms of providers. */
export function LicenceTerms({ hosts }: { hosts: readonly string[] }) {
  const sources = useOperation('catalog.sources.list', {})
  const named = (sources.data?.sources ?? []).filter(({ id }) => hosts.includes(id))
  if (named.length === 0) return null
  return (
    <small className={`${layout['stack4']} ${layout['starts']}`}>
      {named.map(({ id, title, license_url }) => (
        <a key={id} href={license_url} target="_blank" rel="noreferrer">
          {paymentsTexts.terms(title)}
        </a>
      ))}
    </small>
  )
}
