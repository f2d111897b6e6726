import { useState, type FormEvent } from 'react'
import type { OrderEstimate } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { Agreements } from '../../payments/agreements.tsx'
import { describeLicence } from '../../payments/describe-licence.ts'
import { LicenceTerms } from '../../payments/licence-terms.tsx'
import { cartTexts } from '../../texts/cart.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { commonLicences } from './cart-order.ts'
import type { CartChange, CartSearch } from './cart-search.ts'
import typography from '../../ui/typography.module.css'
import layout from '../../ui/layout.module.css'

export interface DeliverySectionProps {
  readonly estimate: OrderEstimate | undefined
  readonly search: CartSearch
  readonly onChange: (change: CartChange) => void
}

/** The collection that the scenes are delivered to, and the licence. */
export function DeliverySection({ estimate, search, onChange }: DeliverySectionProps) {
  const lines = estimate?.lines ?? []
  const licences = commonLicences(lines)
  return (
    <Section title={cartTexts.delivery}>
      <ProjectChoice value={search.project ?? null} onChange={(project) => onChange({ project })} />
      {licences.length > 0 && (
        <SelectField
          label={cartTexts.licence}
          help={cartTexts.licenceHelp}
          value={search.licence && licences.includes(search.licence) ? search.licence : licences[0]!}
          onChange={(licence) => onChange({ licence })}
          choices={licences.map((licence) => ({ value: licence, label: describeLicence(licence) }))}
        />
      )}
      {licences.length === 0 && lines.length > 0 && (
        <small className={typography['note']}>
          {lines.some(({ credits }) => credits > 0) ? cartTexts.noCommonLicence : cartTexts.ownLicences}
        </small>
      )}
      <LicenceTerms hosts={lines.map(({ host }) => host)} />
      <Agreements eulas={estimate?.eulas ?? []} />
    </Section>
  )
}

const newProject = 'new'

function ProjectChoice({ value, onChange }: { value: string | null; onChange: (project: string) => void }) {
  const projects = useOperation('projects.list', {})
  const [isNew, setNew] = useState(false)
  const choose = (chosen: string): void => {
    setNew(chosen === newProject)
    if (chosen !== newProject) onChange(chosen)
  }
  return (
    <QueryView query={projects} rows={1}>
      {(page) => {
        const open = page.projects.filter((project) => !project.is_archived)
        const shown = open.find(({ id }) => id === value)?.id ?? open[0]?.id ?? newProject
        return (
          <>
            <SelectField
              label={cartTexts.project}
              value={isNew ? newProject : shown}
              onChange={choose}
              choices={[
                ...open.map(({ id, name }) => ({ value: id, label: name })),
                { value: newProject, label: cartTexts.newProject },
              ]}
            />
            {(isNew || open.length === 0) && (
              <NewProject
                onCreated={(id) => {
                  setNew(false)
                  onChange(id)
                }}
              />
            )}
          </>
        )
      }}
    </QueryView>
  )
}

function NewProject({ onCreated }: { onCreated: (id: string) => void }) {
  const [name, setName] = useState('')
  const create = useCommand('projects.create', ['projects.list'])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() !== '') create.mutate({ name: name.trim() }, { onSuccess: ({ id }) => onCreated(id) })
  }
  return (
    <>
      <form className={layout['fieldAndButton']} onSubmit={submit}>
        <TextField label={cartTexts.projectName} value={name} onChange={setName} autoFocus />
        <Button type="submit" isPending={create.isPending}>
          {cartTexts.create}
        </Button>
      </form>
      {create.error && <ProblemNote error={create.error} />}
    </>
  )
}
