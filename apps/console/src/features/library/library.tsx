import { FolderOpen, SearchX } from 'lucide-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { CreateNamed } from './create-named.tsx'
import { ItemRow } from './item-row.tsx'
import { libraryTabs } from './library-tabs.ts'
import styles from './library.module.css'
import {
  createListInput,
  parseLibrarySearch,
  toLibraryItem,
  type LibraryItem,
  type LibrarySearch,
} from './library-search.ts'

type Project = OutputOf<'projects.list'>['projects'][number]

/** What the organization has: by project and collection, or found by words. */
export function Library() {
  const projects = useOperation('projects.list', {})
  return (
    <Screen title={texts.library.title} toolbar={<TabLinks label={texts.library.tabs} tabs={libraryTabs} />}>
      <QueryView query={projects} rows={6}>
        {({ projects: known }) => <LibraryContent projects={known} />}
      </QueryView>
    </Screen>
  )
}

function LibraryContent({ projects }: { projects: readonly Project[] }) {
  const navigate = useNavigate()
  const address = parseLibrarySearch(useSearch({ strict: false }))
  const project = projects.find(({ id }) => id === address.project) ?? projects[0]
  const show = (change: Partial<LibrarySearch>): void => {
    const next = { ...address, ...change }
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({
        ...(v ? { v } : {}),
        ...Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null && value !== '')),
      }),
      replace: true,
    })
  }
  if (!project) return <EmptyLibrary />
  return <ProjectContent projects={projects} project={project} address={address} onShow={show} />
}

interface ProjectContentProps {
  readonly projects: readonly Project[]
  readonly project: Project
  readonly address: LibrarySearch
  readonly onShow: (change: Partial<LibrarySearch>) => void
}

function ProjectContent({ projects, project, address, onShow }: ProjectContentProps) {
  const collections = useOperation('collections.list', { project_id: project.id })
  const known = collections.data?.collections ?? []
  return (
    <>
      <div className={styles['filters']}>
        <div className={styles['row']}>
          <SelectField
            label={texts.library.project}
            value={project.id}
            onChange={(id) => onShow({ project: id, collection: null })}
            choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <CreateNamed
            operation="projects.create"
            label={texts.library.newProject}
            toInput={(name) => ({ name })}
            affected={['projects.list']}
          />
        </div>
        <div className={styles['row']}>
          <SelectField
            label={texts.library.collection}
            value={address.collection ?? ''}
            onChange={(id) => onShow({ collection: id || null })}
            choices={[
              { value: '', label: texts.library.allCollections },
              ...known.map(({ id, name, item_count }) => ({ value: id, label: `${name} (${item_count})` })),
            ]}
          />
          <CreateNamed
            operation="collections.create"
            label={texts.library.newCollection}
            toInput={(name) => ({ name, project_id: project.id })}
            affected={['collections.list']}
          />
        </div>
        <TextField
          label={texts.library.search}
          type="search"
          value={address.q ?? ''}
          onChange={(q) => onShow({ q: q || null })}
        />
      </div>
      <ItemList projectId={project.id} address={address} collections={known} onShow={onShow} />
    </>
  )
}

interface ItemListProps {
  readonly projectId: string
  readonly address: LibrarySearch
  readonly collections: OutputOf<'collections.list'>['collections']
  readonly onShow: (change: Partial<LibrarySearch>) => void
}

const page_size = 50
const max_shown = 500

function ItemList({ projectId, address, collections, onShow }: ItemListProps) {
  const [hovered, setHovered] = useState<string | null>(null)
  const [selected, setSelected] = useState<ReadonlySet<string>>(() => new Set())
  const input = createListInput(projectId, address)
  const list = useOperation('items.search_org', input)
  const toggle = (id: string): void => setSelected((previous) => new Set(previous).symmetricDifference(new Set([id])))
  const items = (list.data?.features ?? []).map(toLibraryItem)
  const isFiltered = address.q !== null || address.collection !== null
  return (
    <QueryView query={list} rows={6}>
      {({ numberMatched }) =>
        items.length === 0 ? (
          isFiltered ? (
            <EmptyState icon={SearchX} title={texts.library.noMatch} />
          ) : (
            <EmptyLibrary />
          )
        ) : (
          <>
            <div className={styles['counts']}>
              <span className="figures">{texts.library.count(items.length, numberMatched)}</span>
              <CopyCall operation="items.search_org" input={input} />
            </div>
            <ul className={styles['list']}>
              {items.map((item) => (
                <ItemRow
                  key={item.id}
                  item={item}
                  isHovered={item.id === hovered}
                  isSelected={selected.has(item.id)}
                  onHover={setHovered}
                  onToggle={toggle}
                />
              ))}
            </ul>
            {numberMatched > items.length && (
              <div className={styles['counts']}>
                <Button
                  onClick={() => onShow({ limit: Math.min(max_shown, (address.limit ?? page_size) + page_size) })}
                >
                  {texts.library.more}
                </Button>
              </div>
            )}
            <BulkBar ids={[...selected]} collections={collections} onDone={() => setSelected(new Set())} />
            <FootprintLayer
              id="items"
              footprints={toFootprints(items)}
              hovered={hovered}
              selected={selected}
              onHover={setHovered}
              onSelect={toggle}
            />
          </>
        )
      }
    </QueryView>
  )
}

const toFootprints = (items: readonly LibraryItem[]): GeoJSON.FeatureCollection => ({
  type: 'FeatureCollection',
  features: items
    .filter(({ geometry }) => geometry !== null)
    .map(({ id, geometry }) => ({
      type: 'Feature',
      properties: { id },
      geometry: geometry as unknown as GeoJSON.Geometry,
    })),
})

function EmptyLibrary() {
  return (
    <EmptyState icon={FolderOpen} title={texts.library.empty}>
      <p>{texts.library.emptyHelp}</p>
      <Link to="/explore">{texts.library.toExplore}</Link>
      <Link to="/library/uploads">{texts.library.upload}</Link>
    </EmptyState>
  )
}
