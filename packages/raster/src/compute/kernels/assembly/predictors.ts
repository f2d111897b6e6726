import { computeRowDifferences } from './difference.ts'
import { joinBytePlanes, splitBytePlanes } from './planes.ts'
import { computeRunningSumsOfRow } from './scan.ts'

function scanRows<T>(at: usize, rows: usize, rowSamples: usize, stride: usize): void {
  const rowBytes = rowSamples * sizeof<T>()
  for (const end = at + rows * rowBytes; at < end; at += rowBytes)
    computeRunningSumsOfRow<T>(at, at, rowSamples, stride)
}

function differenceRows<T>(at: usize, rows: usize, rowSamples: usize, stride: usize): void {
  const rowBytes = rowSamples * sizeof<T>()
  for (const end = at + rows * rowBytes; at < end; at += rowBytes) computeRowDifferences<T>(at, rowSamples, stride)
}

/** TIFF predictor 2 undone in place. */
export function undoPredictor2(at: usize, rows: usize, rowSamples: usize, stride: usize, sampleBytes: i32): void {
  if (sampleBytes == 1) scanRows<u8>(at, rows, rowSamples, stride)
  else if (sampleBytes == 2) scanRows<u16>(at, rows, rowSamples, stride)
  else if (sampleBytes == 4) scanRows<u32>(at, rows, rowSamples, stride)
  else scanRows<u64>(at, rows, rowSamples, stride)
}

export function applyPredictor2(at: usize, rows: usize, rowSamples: usize, stride: usize, sampleBytes: i32): void {
  if (sampleBytes == 1) differenceRows<u8>(at, rows, rowSamples, stride)
  else if (sampleBytes == 2) differenceRows<u16>(at, rows, rowSamples, stride)
  else if (sampleBytes == 4) differenceRows<u32>(at, rows, rowSamples, stride)
  else differenceRows<u64>(at, rows, rowSamples, stride)
}

/** TIFF Technical Note 3 undone in place; `row` has space for one row. */
export function decodePredictor3(
  at: usize,
  rows: usize,
  rowSamples: usize,
  stride: usize,
  sampleBytes: usize,
  row: usize,
): void {
  const rowBytes = rowSamples * sampleBytes
  for (const end = at + rows * rowBytes; at < end; at += rowBytes) {
    computeRunningSumsOfRow<u8>(row, at, rowBytes, stride)
    joinBytePlanes(at, row, rowSamples, sampleBytes)
  }
}

export function encodePredictor3(
  at: usize,
  rows: usize,
  rowSamples: usize,
  stride: usize,
  sampleBytes: usize,
  row: usize,
): void {
  const rowBytes = rowSamples * sampleBytes
  for (const end = at + rows * rowBytes; at < end; at += rowBytes) {
    memory.copy(row, at, rowBytes)
    splitBytePlanes(at, row, rowSamples, sampleBytes)
    computeRowDifferences<u8>(at, rowBytes, stride)
  }
}
