import { type FormEvent, useState } from 'react'
import type { InputOf, TaskingTemplate } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { taskingTexts } from '../../texts/tasking.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import type { TaskingChoices } from './tasking-url.ts'
import type { TaskableProduct } from './tasking-products.ts'
import styles from './tasking.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

/** The sensor of a template that does not name one of a product. */
const anySensor = 'optical'

/** A request as a template: its product is identified by its resolution, and 0 is no constraint. */
const toTemplate = (
  name: string,
  product: TaskableProduct,
  request: TaskingChoices,
): InputOf<'orders.tasking.templates.save'> => ({
  name,
  resolution: product.resolution,
  sensor: request.sensor ?? anySensor,
  capture_frequency: 'once',
  datum: 'WGS84',
  file_format: 'COG',
  max_cloud_coverage: request.maxCloud ?? 0,
  max_nadir_angle: request.maxOffNadir ?? 0,
})

/** The changes of a request by a template; a product of its resolution is chosen if there is one. */
function applyTemplate(
  { resolution, sensor, max_cloud_coverage, max_nadir_angle }: TaskingTemplate,
  products: readonly TaskableProduct[],
): Partial<TaskingChoices> {
  const product = products.find((one) => one.resolution === resolution)
  return {
    ...(product
      ? { product: product.id, sensor: product.sensors.some(({ id }) => id === sensor) ? sensor : null }
      : {}),
    maxCloud: max_cloud_coverage || null,
    maxOffNadir: max_nadir_angle || null,
  }
}

const words = taskingTexts.templates

export interface TemplateSectionProps {
  readonly products: readonly TaskableProduct[]
  readonly product: TaskableProduct | null
  readonly request: TaskingChoices
  readonly onChange: (part: Partial<TaskingChoices>) => void
}

/** Constraints that the organization uses often: saved, used, deleted. */
export function TemplateSection({ products, product, request, onChange }: TemplateSectionProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={`${layout['inset']} ${layout['lineBelow']}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className={`${typography['strong']} ${typography['normal']}`}>{words.title}</summary>
      {isOpen && (
        <>
          <TemplateList onUse={(template) => onChange(applyTemplate(template, products))} />
          {product && <SaveTemplate product={product} request={request} />}
        </>
      )}
    </details>
  )
}

function TemplateList({ onUse }: { onUse: (template: TaskingTemplate) => void }) {
  const templates = useOperation('orders.tasking.templates.list', {})
  return (
    <QueryView query={templates} rows={2}>
      {({ templates: saved }) =>
        saved.length === 0 ? (
          <p className={typography['muted']}>{words.none}</p>
        ) : (
          <ul className={`${layout['grid']} ${styles['rows']}`}>
            {saved.map((template) => (
              <TemplateRow key={template.id} template={template} onUse={() => onUse(template)} />
            ))}
          </ul>
        )
      }
    </QueryView>
  )
}

/** 0 is no constraint. */
const shown = (value: number, unit: string): string => (value === 0 ? taskingTexts.any : `≤ ${value}${unit}`)

function TemplateRow({ template, onUse }: { template: TaskingTemplate; onUse: () => void }) {
  const { id, name, resolution, max_cloud_coverage, max_nadir_angle } = template
  const remove = useCommand('orders.tasking.templates.delete', ['orders.tasking.templates.list'])
  const input = { template_id: id }
  return (
    <li className={layout['stack8']}>
      <span className={`${layout['grid']} ${typography['anywhere']}`}>
        <strong>{name}</strong>
        <small>{words.facts(resolution, shown(max_cloud_coverage, ' %'), shown(max_nadir_angle, '°'))}</small>
      </span>
      <Button aria-label={words.useNamed(name)} onClick={onUse}>
        {words.use}
      </Button>
      <ConfirmButton
        label={words.removeNamed(name)}
        verb={words.remove}
        kind="danger"
        title={words.removeTitle}
        subject={name}
        text={words.removeText}
        cancel={words.keep}
        call={['orders.tasking.templates.delete', input]}
        command={remove}
      />
    </li>
  )
}

function SaveTemplate({ product, request }: { product: TaskableProduct; request: TaskingChoices }) {
  const save = useCommand('orders.tasking.templates.save', ['orders.tasking.templates.list'])
  const [name, setName] = useState('')
  const input = toTemplate(name.trim(), product, request)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (input.name !== '') save.mutate(input, { onSuccess: () => setName('') })
  }
  return (
    <form className={`${layout['fieldAndButton']} ${styles['inline']}`} onSubmit={submit}>
      <TextField label={words.name} value={name} onChange={setName} maxLength={200} />
      <Button type="submit" isPending={save.isPending} disabled={input.name === ''}>
        {words.save}
      </Button>
      {input.name !== '' && <CopyCall operation="orders.tasking.templates.save" input={input} />}
      {save.data && <p role="status">{words.saved(save.data.name)}</p>}
      {save.isError && <ProblemNote error={save.error} />}
    </form>
  )
}
