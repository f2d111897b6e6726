import { SearchX } from 'lucide-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { buildTexts } from '../../texts/build.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { BuildScreen } from './build-screen.tsx'
import { CallForm } from './explorer/call-form.tsx'
import { useOpenApi, type OpenApiDocument, type OperationDocument } from './explorer/use-openapi.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

interface ExplorerSearch {
  readonly operation?: string
  readonly q?: string
}

/** Every operation, to be found and tried as the signed-in person. */
export function ApiExplorer() {
  const navigate = useNavigate()
  const { operation, q = '' } = useSearch({ strict: false }) as ExplorerSearch
  const document = useOpenApi()
  const show = (next: ExplorerSearch, replace: boolean): void =>
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({
        ...(v ? { v } : {}),
        ...(next.q ? { q: next.q } : {}),
        ...(next.operation ? { operation: next.operation } : {}),
      }),
      replace,
    })
  return (
    <BuildScreen
      actions={<a href="/docs">{buildTexts.reference}</a>}
      {...(operation ? { onBack: () => show({ q }, false) } : {})}
    >
      <QueryView query={document} rows={8}>
        {(known) =>
          operation ? (
            <Chosen key={operation} id={operation} document={known} />
          ) : (
            <OperationList
              operations={known.operations}
              q={q}
              onSearch={(text) => show({ q: text }, true)}
              onChoose={(id) => show({ q, operation: id }, false)}
            />
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

interface OperationListProps {
  readonly operations: readonly OperationDocument[]
  readonly q: string
  readonly onSearch: (text: string) => void
  readonly onChoose: (id: string) => void
}

function OperationList({ operations, q, onSearch, onChoose }: OperationListProps) {
  const words = q.toLowerCase().split(/\s+/)
  const found = operations.filter(({ id, summary }) =>
    words.every((word) => `${id} ${summary.toLowerCase()}`.includes(word)),
  )
  return (
    <>
      <div className={layout['inset']}>
        <TextField
          type="search"
          label={buildTexts.search}
          help={buildTexts.operations(found.length)}
          value={q}
          onChange={onSearch}
        />
      </div>
      {found.length === 0 && <EmptyState icon={SearchX} title={buildTexts.noneFound} />}
      <ul>
        {found.map(({ id, summary, effect }) => (
          <li className={layout['lineAbove']} key={id}>
            <button
              className={`${layout['stack4']} ${layout['flat']} ${layout['wide']} ${layout['choice']}`}
              type="button"
              onClick={() => onChoose(id)}
            >
              <span className={layout['split']}>
                <code>{id}</code>
                <Note effect={effect} />
              </span>
              <small>{summary}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A warning before an operation is run that spends or deletes. */
function Note({ effect }: Pick<OperationDocument, 'effect'>) {
  if (effect === 'spend') return <small className={typography['warning']}>{buildTexts.spends}</small>
  if (effect === 'destructive') return <small className={typography['warning']}>{buildTexts.destroys}</small>
  return null
}

function Chosen({ id, document: { operations, schemas } }: { id: string; document: OpenApiDocument }) {
  const operation = operations.find((one) => one.id === id)
  if (!operation) return <EmptyState icon={SearchX} title={buildTexts.unknown(id)} />
  const { summary, scope, effect } = operation
  return (
    <>
      <Section
        title={id}
        actions={
          <a href={`/docs/reference/${id.split('.')[0]}#${id}`} target="_blank" rel="noreferrer">
            {buildTexts.reference}
          </a>
        }
      >
        <p>{summary}</p>
        <p className={typography['muted']}>
          {scope && buildTexts.scope(scope)} <Note effect={effect} />
        </p>
      </Section>
      <CallForm operation={operation} schemas={schemas} />
    </>
  )
}
