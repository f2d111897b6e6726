import { useState, type FormEvent } from 'react'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { usePrincipal } from '../../api/use-principal.ts'
import { moneyTexts } from '../../texts/money.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import styles from './money.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Details = OutputOf<'organizations.get'>['organization']
type Change = InputOf<'organizations.update'>

const words = moneyTexts.details
const addressNames = ['line1', 'line2', 'city', 'region', 'postal_code'] as const
const fieldNames = ['abn', 'tax_number', 'country', 'billing_email', 'purchase_order_number'] as const
type Name = 'name' | (typeof fieldNames)[number] | (typeof addressNames)[number]

/** The details of the organization on the next invoices, for those who may change them. */
export function OrganizationDetails() {
  const role = usePrincipal().data?.organization?.role
  const details = useOperation('organizations.get', {})
  if (role !== 'owner' && role !== 'admin' && role !== 'billing') return null
  return (
    <Section title={words.heading}>
      <p className={typography['muted']}>{words.text}</p>
      <QueryView query={details} rows={3}>
        {({ organization }) => <DetailsForm details={organization} mayRename={role !== 'billing'} />}
      </QueryView>
    </Section>
  )
}

function DetailsForm({ details, mayRename }: { details: Details; mayRename: boolean }) {
  const save = useCommand('organizations.update', ['organizations.get', 'users.me'])
  const [values, setValues] = useState(() => readValues(details))
  const field = (name: Name, help?: string) => (
    <TextField
      key={name}
      label={words[name]}
      {...(help ? { help } : {})}
      value={values[name]}
      required={name === 'name'}
      onChange={(value) => setValues({ ...values, [name]: value })}
    />
  )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate(toChange(values, mayRename))
  }
  return (
    <form className={`${layout['stack8']} ${styles['form']}`} onSubmit={submit}>
      {mayRename && field('name')}
      <div className={layout['pair']}>
        {field('abn')}
        {field('tax_number')}
      </div>
      {field('line1')}
      {field('line2')}
      <div className={layout['pair']}>
        {field('city')}
        {field('region')}
      </div>
      <div className={layout['pair']}>
        {field('postal_code')}
        {field('country', words.countryHelp)}
      </div>
      <div className={layout['pair']}>
        {field('billing_email')}
        {field('purchase_order_number')}
      </div>
      <Button type="submit" isPending={save.isPending}>
        {moneyTexts.save}
      </Button>
      {save.isSuccess && <p role="status">{moneyTexts.saved}</p>}
      {save.isError && <ProblemNote error={save.error} />}
    </form>
  )
}

function readValues(details: Details): Record<Name, string> {
  const address = details.billing_address ?? {}
  const pairs = [
    ['name', details.name],
    ...fieldNames.map((name) => [name, details[name]] as const),
    ...addressNames.map((name) => [name, address[name]] as const),
  ] as const
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, typeof value === 'string' || typeof value === 'number' ? String(value) : '']),
  ) as Record<Name, string>
}

const orNull = (value: string): string | null => value.trim() || null

/** An empty field removes the value; an address without its first line is none. */
function toChange(values: Record<Name, string>, mayRename: boolean): Change {
  const [line1, ...others] = addressNames.map((name) => [name, orNull(values[name])] as const)
  return {
    ...(mayRename ? { name: values.name } : {}),
    ...Object.fromEntries(fieldNames.map((name) => [name, orNull(values[name])])),
    country: orNull(values.country.toUpperCase()),
    billing_address: line1?.[1] ? { line1: line1[1], ...Object.fromEntries(others) } : null,
  }
}
