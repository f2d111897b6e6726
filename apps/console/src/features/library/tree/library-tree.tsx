import { Boxes, ChevronRight, FolderTree } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { CheckboxField } from '../../../ui/field.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { CreateNamed } from '../create-named.tsx'
import { noCollection, type LibrarySearch } from '../search/library-search.ts'
import type { LibraryUrl } from '../search/use-library-url.ts'
import styles from './library-tree.module.css'
import { TreeRow } from './tree-row.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

type Project = OutputOf<'projects.list'>['projects'][number]

export interface TreeActions {
  readonly url: LibraryUrl
  /** Items were dropped on a collection, or on "no collection" (null). */
  readonly onMove: (ids: readonly string[], collection: { readonly id: string | null; readonly name: string }) => void
  /** Files were dropped on a project or a collection. */
  readonly onFiles: (files: readonly File[], project_id: string, collection_id: string | null) => void
}

/** Projects, and the collections of the project that is shown; items and files can be dropped on them. */
export function LibraryTree({ projects, ...actions }: TreeActions & { projects: readonly Project[] }) {
  const { search, change } = actions.url
  const [isArchivedShown, setArchivedShown] = useState(false)
  const all = useOperation('projects.list', { include_archived: true }, { enabled: isArchivedShown })
  const [isFolded, setFolded] = useState(projects.length > 0)
  const shown = isArchivedShown ? (all.data?.projects ?? projects) : projects
  return (
    <nav className={styles['tree']} aria-label={libraryTexts.tree.label} data-folded={isFolded}>
      <CurrentPlace projects={shown} search={search} isFolded={isFolded} onToggle={() => setFolded(!isFolded)} />
      <ul>
        <TreeRow
          icon={Boxes}
          name={libraryTexts.tree.all}
          isCurrent={search.project === undefined}
          onOpen={() => change({ project: undefined, collection: undefined }, false)}
        />
        {shown.map((project) => (
          <ProjectRow key={project.id} project={project} {...actions} />
        ))}
      </ul>
      <div className={`${layout['spread']} ${styles['below']}`}>
        <CreateNamed
          operation="projects.create"
          label={libraryTexts.newProject}
          toInput={(name) => ({ name })}
          affected={['projects.list']}
          onCreated={({ id }) => change({ project: id, collection: undefined })}
        />
        <CheckboxField label={libraryTexts.tree.showArchived} checked={isArchivedShown} onChange={setArchivedShown} />
      </div>
    </nav>
  )
}

interface CurrentPlaceProps {
  readonly projects: readonly Project[]
  readonly search: LibrarySearch
  readonly isFolded: boolean
  readonly onToggle: () => void
}

/** The current place in the library on a narrow window; opens the tree. */
function CurrentPlace({ projects, search, isFolded, onToggle }: CurrentPlaceProps) {
  const project = projects.find(({ id }) => id === search.project)
  const collections = useOperation(
    'collections.list',
    { project_id: project?.id ?? '' },
    { enabled: project !== undefined },
  )
  const collection =
    search.collection === noCollection
      ? libraryTexts.noCollection
      : collections.data?.collections.find(({ id }) => id === search.collection)?.name
  const name = [project?.name ?? libraryTexts.tree.all, collection].filter(Boolean).join(' › ')
  return (
    <button type="button" className={styles['place']} aria-expanded={!isFolded} onClick={onToggle}>
      <FolderTree size={16} aria-hidden />
      <span className={`${typography['clip']} ${layout['fill']}`}>{name}</span>
      <ChevronRight size={16} aria-hidden data-open={!isFolded} />
    </button>
  )
}

function ProjectRow({ project, url, onMove, onFiles }: TreeActions & { project: Project }) {
  const { search, change } = url
  const isOpen = search.project === project.id
  const items = useOperation('items.list', { project_id: project.id, limit: 1 })
  return (
    <TreeRow
      icon={ChevronRight}
      isOpen={isOpen}
      name={project.name}
      note={project.is_archived ? libraryTexts.tree.archived : null}
      count={items.data?.total}
      isCurrent={isOpen && search.collection === undefined}
      settings={{ to: '/library/projects/$projectId', params: { projectId: project.id } }}
      onOpen={() =>
        change({ project: isOpen && !search.collection ? undefined : project.id, collection: undefined }, false)
      }
      onFiles={(files) => onFiles(files, project.id, null)}
    >
      {isOpen && <Collections projectId={project.id} url={url} onMove={onMove} onFiles={onFiles} />}
    </TreeRow>
  )
}

function Collections({ projectId, url: { search, change }, onMove, onFiles }: TreeActions & { projectId: string }) {
  const collections = useOperation('collections.list', { project_id: projectId })
  const uncollected = useOperation('items.list', { project_id: projectId, uncollected: true, limit: 1 })
  return (
    <QueryView query={collections} rows={1}>
      {({ collections: known }) => (
        <ul>
          {known.map(({ id, name, color, item_count }) => (
            <TreeRow
              key={id}
              colour={color ?? 'var(--control)'}
              name={name}
              count={item_count}
              isCurrent={search.collection === id}
              settings={{
                to: '/library/projects/$projectId/collections/$collectionId',
                params: { projectId, collectionId: id },
              }}
              onOpen={() => change({ collection: id }, false)}
              onItems={(ids) => onMove(ids, { id, name })}
              onFiles={(files) => onFiles(files, projectId, id)}
            />
          ))}
          {known.length > 0 && (
            <TreeRow
              name={libraryTexts.noCollection}
              count={uncollected.data?.total}
              isCurrent={search.collection === noCollection}
              onOpen={() => change({ collection: noCollection }, false)}
              onItems={(ids) => onMove(ids, { id: null, name: libraryTexts.noCollection })}
            />
          )}
          <li className={`${layout['narrow']} ${styles['create']}`}>
            <CreateNamed
              operation="collections.create"
              label={libraryTexts.newCollection}
              toInput={(name) => ({ name, project_id: projectId })}
              affected={['collections.list']}
            />
          </li>
        </ul>
      )}
    </QueryView>
  )
}
