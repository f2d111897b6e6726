import { useState } from 'react'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { buildTexts } from '../../texts/build.ts'
import { uiTexts } from '../../texts/ui.ts'
import { viewerTexts } from '../../texts/viewer.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { SecretOnce } from '../../credentials/secret-once.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = buildTexts.tiles
const defaultLifetime_s = '604800'

/** Makes a token for all items of a collection; one for a single item is made in the viewer, with its URLs. */
export function NewTileToken({ onDone }: { readonly onDone: () => void }) {
  const create = useCommand('items.tile.token.create', ['items.tile.token.list'])
  const [name, setName] = useState('')
  const [project_id, setProject] = useState('')
  const [collection_id, setCollection] = useState('')
  const [lifetime, setLifetime] = useState(defaultLifetime_s)
  const projects = useOperation('projects.list', {})
  const collections = useOperation('collections.list', { project_id }, { enabled: project_id !== '' })
  if (create.data)
    return (
      <Section title={create.data.name || words.unnamed}>
        <SecretOnce
          text={words.secret}
          secret={create.data.token}
          copyLabel={words.copy}
          doneLabel={buildTexts.done}
          onDone={onDone}
        >
          <p className={typography['muted']}>{words.usage}</p>
        </SecretOnce>
      </Section>
    )
  const input = { name: name.trim(), collection_id, expires_in_seconds: Number(lifetime) }
  const choose = { value: '', label: words.choose }
  return (
    <Section title={words.new}>
      <p className={typography['muted']}>{words.newHelp}</p>
      <form
        className={layout['stack12']}
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(input)
        }}
      >
        <TextField label={buildTexts.name} value={name} onChange={setName} required maxLength={255} />
        <SelectField
          label={words.project}
          value={project_id}
          required
          onChange={(id) => {
            setProject(id)
            setCollection('')
          }}
          choices={[choose, ...(projects.data?.projects ?? []).map(({ id, name: label }) => ({ value: id, label }))]}
        />
        <SelectField
          label={words.collection}
          value={collection_id}
          required
          disabled={project_id === ''}
          onChange={setCollection}
          choices={[
            choose,
            ...(collections.data?.collections ?? []).map(({ id, name: label }) => ({ value: id, label })),
          ]}
        />
        <SelectField
          label={buildTexts.expires}
          value={lifetime}
          onChange={setLifetime}
          choices={Object.entries(viewerTexts.lifetimes).map(([value, label]) => ({ value, label }))}
        />
        <div className={layout['wrap']}>
          <Button type="submit" kind="primary" isPending={create.isPending}>
            {words.create}
          </Button>
          <Button onClick={onDone}>{uiTexts.cancel}</Button>
          {collection_id !== '' && <CopyCall operation="items.tile.token.create" input={input} />}
        </div>
        {create.isError && <ProblemNote error={create.error} />}
      </form>
    </Section>
  )
}
