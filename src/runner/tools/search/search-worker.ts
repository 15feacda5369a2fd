// The thread of one search. It is terminated when it takes too long, even while matching an expression.

import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../../core/checks/thrown.ts'
import { findFiles } from './find-files.ts'
import { grepFiles } from './grep-files.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'

parentPort?.postMessage(answer(workerData as SearchRequest))

function answer(request: SearchRequest): SearchAnswer {
  try {
    if (request.kind === 'glob') return { kind: 'glob', found: findFiles(request.files) }
    const { files, isCut } =
      request.files === null ? { files: [request.file ?? ''], isCut: false } : findFiles(request.files)
    return { kind: 'grep', found: grepFiles({ ...request.grep, files }), isCut }
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) }
  }
}
