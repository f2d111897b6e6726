import { useState, type FormEvent } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import layout from '../../ui/layout.module.css'

const words = adminTexts.productVersions
const emptyDraft = {
  product: '',
  availability: '',
  minimum: '',
  licences: '',
  agreement: '',
  effective: '',
  reason: '',
}
type Draft = typeof emptyDraft

const availabilities = [
  { value: '', label: words.unchanged },
  { value: 'offered', label: words.offered },
  { value: 'withdrawn', label: words.withdrawn },
]

/** The changes of a draft; empty fields are left out. */
function toRequest(draft: Draft, fallback: string): InputOf<'admin.data_products.versions.create'> {
  const { availability, minimum, licences, agreement, effective, reason } = draft
  const time = new Date(effective)
  return {
    data_product_name: draft.product || fallback,
    ...(availability === '' ? {} : { is_available: availability === 'offered' }),
    ...(minimum.trim() === '' ? {} : { minimum_km2: Number(minimum) }),
    ...(licences.trim() === '' ? {} : { licences: licences.split(',').map((licence) => licence.trim()) }),
    ...(agreement.trim() === '' ? {} : { eula_id: agreement.trim() }),
    effective_from: Number.isNaN(time.getTime()) ? effective : time.toISOString(),
    reason: reason.trim(),
  }
}

/** Adds a version of the terms of a data product. */
export function ProductVersionForm({ products }: { products: readonly { readonly name: string }[] }) {
  const [draft, setDraft] = useState(emptyDraft)
  const command = useCommand('admin.data_products.versions.create', [
    'admin.data_products.list',
    'admin.data_products.versions.list',
  ])
  const request = toRequest(draft, products[0]?.name ?? '')
  const isChange = [draft.availability, draft.minimum, draft.licences, draft.agreement].some(
    (text) => text.trim() !== '',
  )
  const isComplete = isChange && draft.reason.trim() !== '' && draft.effective !== ''
  const fieldOf = (name: keyof Draft) => ({
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    command.mutate(request, { onSuccess: () => setDraft(emptyDraft) })
  }
  return (
    <Section title={words.add}>
      <form onSubmit={submit} className={layout['stack8']}>
        <SelectField
          label={words.product}
          choices={products.map(({ name }) => ({ value: name, label: name }))}
          {...fieldOf('product')}
          value={request.data_product_name}
        />
        <SelectField label={words.availability} choices={availabilities} {...fieldOf('availability')} />
        <TextField type="number" label={words.minimumInput} help={words.minimumHelp} {...fieldOf('minimum')} />
        <TextField label={words.licencesInput} help={words.licencesHelp} {...fieldOf('licences')} />
        <TextField label={words.agreementInput} help={words.agreementHelp} {...fieldOf('agreement')} />
        <TextField
          type="datetime-local"
          label={adminTexts.versions.effective}
          help={words.effectiveHelp}
          {...fieldOf('effective')}
        />
        <TextField label={adminTexts.reason} help={adminTexts.versions.reasonHelp} {...fieldOf('reason')} />
        <div className={layout['row']}>
          <Button type="submit" kind="primary" disabled={!isComplete} isPending={command.isPending}>
            {adminTexts.submit}
          </Button>
          <CopyCall operation="admin.data_products.versions.create" input={request} />
        </div>
        {command.isError && <ProblemNote error={command.error} />}
      </form>
    </Section>
  )
}
