// Targets for the answers of serving. The core divides the chips anew for each load that it looks at.

import { explainTurn, loadedServing, inputsOf } from '../../model/evaluate.ts';
import { openInput } from '../../model/divide-servers.ts';
import { Stepping } from '../features/target/stepping.ts';
import { solvers } from '../features/target/turns.ts';

solvers.serving = () =>
  new Stepping((ctx, target) => {
    const { engine, state } = ctx;
    return {
      begun: loadedServing().solve(openInput(state, inputsOf(engine, state)), target),
      explained: (turned, field) => explainTurn(engine, turned, target, field),
    };
  });
