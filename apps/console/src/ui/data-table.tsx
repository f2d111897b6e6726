import { ArrowDown, ArrowUp, Download } from 'lucide-react'
import { Fragment, useState, type ReactNode } from 'react'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'
import styles from './data-table.module.css'
import { TextField } from './field.tsx'
import { saveFile } from './save-file.ts'
import { formatCsv, searchRows, sortRows, type CellValue, type RowSort, type ValueColumn } from './table-rows.ts'
import layout from './layout.module.css'

export interface Column<Row> {
  readonly title: string
  readonly isNumeric?: boolean
  /** Left out on small screens: its content is in another column, too, or in the detail of the row. */
  readonly isWideOnly?: boolean
  readonly render: (row: Row) => ReactNode
  /** The value by which rows are sorted and searched, and that their CSV file contains. */
  readonly value?: (row: Row) => CellValue
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly getKey: (row: Row) => string
  /** The detail below an opened row; null for the others. */
  readonly renderDetail?: (row: Row) => ReactNode
  /** The name of the CSV file of the shown rows; with it the rows can be searched, too. */
  readonly fileName?: string
}

type ColumnOptions<Row> = Pick<Column<Row>, 'isWideOnly'>

/** A column of a text. */
export const textColumn = <Row,>(
  title: string,
  read: (row: Row) => string,
  options: ColumnOptions<Row> = {},
): Column<Row> => ({ title, value: read, render: read, ...options })

/** A column of a number, and how it is written. */
export const numberColumn = <Row,>(
  title: string,
  read: (row: Row) => number,
  format: (value: number) => string,
  options: ColumnOptions<Row> = {},
): Column<Row> => ({ title, isNumeric: true, value: read, render: (row) => format(read(row)), ...options })

const hasValue = <Row,>(column: Column<Row>): column is Column<Row> & ValueColumn<Row> => column.value !== undefined

export function DataTable<Row>({ label, columns, rows, getKey, renderDetail, fileName }: DataTableProps<Row>) {
  const [sort, setSort] = useState<RowSort | null>(null)
  const [text, setText] = useState('')
  const values = columns.filter(hasValue)
  const shown = sortRows(searchRows(rows, values, text), values, sort)
  return (
    <>
      {fileName && (
        <div className={`${layout['fields']} ${styles['tools']}`}>
          <TextField type="search" label={uiTexts.table.searchIn(label)} value={text} onChange={setText} />
          <Button
            icon={Download}
            onClick={() => saveFile(new Blob([formatCsv(shown, values)], { type: 'text/csv' }), `${fileName}.csv`)}
          >
            {uiTexts.table.csv}
          </Button>
        </div>
      )}
      <div className={layout['scroller']} tabIndex={0} role="group" aria-label={label}>
        <table className={styles['table']} aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading key={column.title} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Fragment key={getKey(row)}>
                <tr>
                  {columns.map(({ title, isNumeric, isWideOnly, render }) => (
                    <td key={title} data-numeric={isNumeric || undefined} data-wide={isWideOnly || undefined}>
                      {render(row)}
                    </td>
                  ))}
                </tr>
                <Detail columns={columns.length}>{renderDetail?.(row)}</Detail>
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {text !== '' && shown.length === 0 && <p role="status">{uiTexts.table.none}</p>}
    </>
  )
}

interface HeadingProps<Row> {
  readonly column: Column<Row>
  readonly sort: RowSort | null
  readonly onSort: (sort: RowSort | null) => void
}

/** A title that sorts the rows: upwards, downwards, and then as they came. */
function Heading<Row>({ column, sort, onSort }: HeadingProps<Row>) {
  const { title, isNumeric, isWideOnly } = column
  const isSorted = sort?.title === title
  const next = isSorted ? (sort.isDescending ? null : { title, isDescending: true }) : { title, isDescending: false }
  const Icon = isSorted && sort.isDescending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      data-numeric={isNumeric || undefined}
      data-wide={isWideOnly || undefined}
      aria-sort={isSorted ? (sort.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {hasValue(column) ? (
        <button type="button" className={styles['sort']} onClick={() => onSort(next)}>
          {title}
          {isSorted && <Icon size={12} aria-hidden />}
        </button>
      ) : (
        title
      )}
    </th>
  )
}

function Detail({ columns, children }: { columns: number; children: ReactNode }) {
  if (!children) return null
  return (
    <tr className={styles['detail']}>
      <td colSpan={columns}>{children}</td>
    </tr>
  )
}
