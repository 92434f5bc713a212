"""Plays seeded random games of Oware and Go with open_spiel, and prints them as cases for `open_spiel.rs`.

    pip install open_spiel==2.0.2    # in an environment of its own
    python play.py oware --seeds 1-8 > oware.cases
    python play.py go --size 9 --seeds 1-3 > go.cases
    OPEN_SPIEL=go.cases cargo test open_spiel -- --nocapture

A file begins with a comment, `#`, that says how it was written. A case is a game, with a line for each turn. What it says
comes from the engine; nothing is computed by rules of ours.

    oware SEED
    PIT PITS BOARD SOUTH NORTH
        the pit that is sown; all that could be; then what is there, the seeds from a1 to f1 and from f2 to a2, a digit of
        SEEDS each; and what South and North have captured

    go SIZE SEED
    POINT [x POINT …] [! POINT …] [? POINT …]
        the point that is played, or `pass`; the stones that this captures; the free points on which no stone could be put;
        and those on which none could be put by positional superko, but one by situational superko

    end WINNER [AREA]
        `none` for a draw; in Go, how many points more Black has than White, without komi

The engine forbids the immediate recapture of a ko, and ends a game as a draw at any other position that comes again. So
which moves repeat a position is read from its boards: that after each move that it allows is compared with all before.
"""

import argparse
import random

import pyspiel

SEEDS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM"
KOMI = 7.5
ENDLESS = 1000000


def oware(seed):
    """Prints a random game of Oware."""
    chance = random.Random(seed)
    state = pyspiel.load_game("oware").new_initial_state()
    print(f"oware {seed}")
    while not state.is_terminal():
        player, options = state.current_player(), state.legal_actions()
        action = chance.choice(options)
        state.apply_action(action)
        _, scores, seeds = state.observation_string(0).split(" | ")
        board = "".join(SEEDS[int(number)] for number in seeds.split())
        names = [f"{'abcdef'[option if player == 0 else 5 - option]}{player + 1}" for option in options]
        pit = names[options.index(action)]
        print(pit, ",".join(sorted(names)), board, scores)
    returns = state.returns()
    print("end", {1: "south", 0: "none", -1: "north"}[returns[0]])


def go(seed, size, turns):
    """Prints a random game of Go.

    Players pass if they can put no stone, in one turn of 100, in one of four after a pass, and after that many turns.
    """
    chance = random.Random(seed)
    parameters = {"board_size": size, "komi": KOMI, "max_game_length": ENDLESS}
    state = pyspiel.load_game("go", parameters).new_initial_state()
    board, history = stones(state, size), []
    # The boards, and with whose turn they were; Black is 0.
    boards, situations = {board}, {(board, 0)}
    print(f"go {size} {seed}")
    while not state.is_terminal():
        player = state.current_player()
        after = {}
        for action in state.legal_actions():
            if action != size * size:
                after[action] = stones(state.child(action), size)
        new = [action for action, then in after.items() if then not in boards]
        repeated = [one for one, then in after.items() if then in boards]
        situational = [one for one in repeated if (after[one], 1 - player) not in situations]
        free = [one for one in range(size * size) if board[one] == "+"]
        refused = [one for one in free if one not in new and one not in situational]
        is_answer = bool(history) and history[-1] == size * size and chance.random() < 0.25
        passes = not new or is_answer or len(history) >= turns or chance.random() < 0.01
        action = size * size if passes else chance.choice(new)
        state.apply_action(action)
        history.append(action)
        then = stones(state, size)
        captured = [one for one in range(size * size) if board[one] != "+" and then[one] == "+"]
        board = then
        boards.add(board)
        situations.add((board, 1 - player))
        lists = [("x", captured), ("!", refused), ("?", situational)]
        marked = [f"{mark} {' '.join(name(one, size) for one in points)}" for mark, points in lists if points]
        print(name(action, size), *marked)
    returns = state.returns()
    print("end", {1: "black", 0: "none", -1: "white"}[returns[0]], area(history, size))


def stones(state, size):
    """Returns the points of the board, row by row from the lowest: X, O, + for a free one."""
    rows = [line[3:] for line in str(state).splitlines() if line[:2].strip().isdigit()]
    assert len(rows) == size and all(len(row) == size for row in rows)
    return "".join(reversed(rows))


def name(action, size):
    """Returns the name of a point; no letter is left out."""
    return "pass" if action == size * size else f"{chr(ord('a') + action % size)}{action // size + 1}"


def area(history, size):
    """Returns how many points more Black has at the end: the komi with which the engine calls the game a draw."""
    least, most = -size * size, size * size
    while least < most:
        middle = (least + most) // 2
        # With half a point more than `middle`, Black wins if Black has more than it.
        parameters = {"board_size": size, "komi": middle + 0.5, "max_game_length": ENDLESS}
        state = pyspiel.load_game("go", parameters).new_initial_state()
        for action in history:
            state.apply_action(action)
        assert state.is_terminal()
        least, most = (middle + 1, most) if state.returns()[0] > 0 else (least, middle)
    return least


def main():
    """Reads the arguments, and prints the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["oware", "go"])
    parser.add_argument("--seeds", default="1", help="seeds of the games, such as 7 or 1-20 or 1,3")
    parser.add_argument("--size", type=int, default=9, help="points of a side in Go")
    parser.add_argument("--turns", type=int, help="turns of Go after which both pass; three for each point if left out")
    arguments = parser.parse_args()
    size = arguments.size
    turns = arguments.turns or 3 * size * size
    for part in arguments.seeds.split(","):
        first, _, last = part.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            oware(seed) if arguments.game == "oware" else go(seed, size, turns)


if __name__ == "__main__":
    main()
